// Gives a socket of a pair a name, which is one of the host's where there is no network of its own.
#define _GNU_SOURCE
#include "../attempt.h"
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

int main(void) {
    int pair[2];
    struct sockaddr_un name = {AF_UNIX, "\0hostile-name"};
    socklen_t size = offsetof(struct sockaddr_un, sun_path) + 13;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 1;
    attempt("bind", bind(pair[0], (struct sockaddr *)&name, size));
    attempt("listen", listen(pair[0], 1));
    attempt("connect", connect(pair[1], (struct sockaddr *)&name, size));
    attempt("accept", accept(pair[0], NULL, NULL));
    return 0;
}
