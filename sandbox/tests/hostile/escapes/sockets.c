// Asks for a socket of every family that could reach somebody.
#define _GNU_SOURCE
#include <sys/socket.h>

#include "../attempt.h"

#define FAMILY_XDP 44

int main(void) {
    attempt("tcp", socket(AF_INET, SOCK_STREAM, 0));
    attempt("tcp6", socket(AF_INET6, SOCK_STREAM, 0));
    attempt("udp", socket(AF_INET, SOCK_DGRAM, 0));
    attempt("unix", socket(AF_UNIX, SOCK_STREAM, 0));
    attempt("unix datagram", socket(AF_UNIX, SOCK_DGRAM, 0));
    attempt("netlink", socket(AF_NETLINK, SOCK_RAW, 0));
    attempt("vsock", socket(AF_VSOCK, SOCK_STREAM, 0));
    attempt("crypto", socket(AF_ALG, SOCK_SEQPACKET, 0));
    return 0;
}
