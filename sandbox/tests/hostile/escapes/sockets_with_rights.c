// Asks for sockets that take a right outside, which it may believe that it has.
#define _GNU_SOURCE
#include <sys/socket.h>

#include "../attempt.h"

int main(void) {
    attempt("raw", socket(AF_INET, SOCK_RAW, 1));
    attempt("packet", socket(AF_PACKET, SOCK_RAW, 0));
    return 0;
}
