// Makes a call in the manner of 32-bit machines.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
#ifdef __x86_64__
    long answer;
    __asm__ volatile("int $0x80" : "=a"(answer) : "a"(20L) : "memory");
    printf("came back: %s\n", answer > 0 ? "ok" : "refused");
#else
    raise(SIGSYS);
#endif
    return 0;
}
