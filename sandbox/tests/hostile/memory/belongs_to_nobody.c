// Wants room that belongs to no process: it would count for nobody and stay when it is not used.
#define _GNU_SOURCE
#include "../attempt.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>

int main(void) {
    char *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    attempt("shared", map == MAP_FAILED ? -1 : 0);
    attempt("zeroes", open("/dev/zero", O_RDWR));
    int pair[2], pipes[2], room = 1 << 24;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 || pipe(pipes) != 0) return 1;
    attempt("send", setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room));
    attempt("receive", setsockopt(pair[0], SOL_SOCKET, SO_RCVBUF, &room, sizeof room));
    static char page[4096];
    struct iovec piece = {page, sizeof page};
    attempt("splice", vmsplice(pipes[1], &piece, 1, 0));
    return 0;
}
