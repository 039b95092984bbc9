// Calls itself without end.
#include <stdio.h>

static int deeper(volatile char *above) {
    volatile char frame[4096];
    frame[0] = above[0];
    return deeper(frame) + frame[0];
}

int main(void) {
    volatile char start = 1;
    return deeper(&start);
}
