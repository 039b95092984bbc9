// Becomes itself again and again, so that no program image lives for long.
#include <unistd.h>

int main(int count, char **words) {
    (void)count;
    for (volatile int i = 0; i < 200000; i++) {}
    execv(words[0], words);
    return 1;
}
