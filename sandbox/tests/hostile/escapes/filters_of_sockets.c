// Attaches a filter to a socket, which is memory that nobody counts.
#define _GNU_SOURCE
#include "../attempt.h"
#include <linux/filter.h>
#include <sys/socket.h>

int main(void) {
    int pair[2];
    struct sock_filter all[] = {BPF_STMT(BPF_RET | BPF_K, 0xffff)};
    struct sock_fprog code = {.len = 1, .filter = all};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 1;
    attempt("filter", setsockopt(pair[0], SOL_SOCKET, SO_ATTACH_FILTER, &code, sizeof code));
    return 0;
}
