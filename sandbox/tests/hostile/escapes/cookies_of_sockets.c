// Asks a socket for the number that the machine gives each one, and for whoever is at the other end.
#define _GNU_SOURCE
#include "../attempt.h"
#include <sys/socket.h>

int main(void) {
    int pair[2], kind;
    unsigned long long room[64];
    socklen_t eight = 8, four = 4, all = sizeof room;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 1;
    attempt("cookie", getsockopt(pair[0], SOL_SOCKET, 57, room, &eight));
    attempt("process", getsockopt(pair[0], SOL_SOCKET, 77, &kind, &four));
    attempt("memory", getsockopt(pair[0], SOL_SOCKET, 55, room, &all));
    attempt("kind", getsockopt(pair[0], SOL_SOCKET, SO_TYPE, &kind, &four));
    return 0;
}
