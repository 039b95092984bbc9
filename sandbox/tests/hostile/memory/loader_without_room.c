// Has less memory than its loader needs for the library, so that it never begins.
#include <stdio.h>

int main(void) {
    puts("begun");
    return 0;
}
