// Watches a folder many times and never reads what has happened there.
#define _GNU_SOURCE
#include "../attempt.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>

int main(void) {
    int watches = 0, watch;
    while (watches < 16 && (watch = inotify_init1(0)) >= 0) {
        inotify_add_watch(watch, ".", IN_ALL_EVENTS);
        watches++;
    }
    attempt("one more", watches < 16 ? -1 : 0);
    static char name[240];
    for (int file = 0; watches > 0 && file < 4000; file++) {
        memset(name, 'x', sizeof name - 1);
        memcpy(name, "hostile", 7);
        int made = open(name, O_CREAT | O_WRONLY, 0600);
        close(made);
        unlink(name);
    }
    return 0;
}
