// Fills as many sockets as it can open with messages of one byte.
#define _GNU_SOURCE
#include "../attempt.h"
#include <fcntl.h>
#include <sys/socket.h>

int main(void) {
    int pairs = 0, ends[2];
    while (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0) {
        pairs++;
        for (int side = 0; side < 2; side++)
            while (send(ends[side], "x", 1, MSG_DONTWAIT) == 1) {}
    }
    printf("%d pairs\n", pairs);
    return 0;
}
