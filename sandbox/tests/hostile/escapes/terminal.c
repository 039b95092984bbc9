// Types into the terminal of whoever started it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "../attempt.h"

int main(void) {
    char word = '\n';
    attempt("type", ioctl(0, TIOCSTI, &word));
    attempt("take", ioctl(0, TIOCSCTTY, 1));
    attempt("group", tcgetpgrp(2));
    return 0;
}
