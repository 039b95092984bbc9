// Puts descriptors under way, which count for the account and not for the run.
#define _GNU_SOURCE
#include "../attempt.h"
#include <string.h>
#include <sys/socket.h>

int main(void) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 1;
    char room[CMSG_SPACE(sizeof(int))];
    memset(room, 0, sizeof room);
    struct iovec text = {"x", 1};
    struct mmsghdr many = {.msg_hdr = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room}};
    struct cmsghdr *head = CMSG_FIRSTHDR(&many.msg_hdr);
    head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_RIGHTS, head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &pair[0], sizeof(int));
    attempt("sendmsg", sendmsg(pair[0], &many.msg_hdr, 0));
    attempt("sendmmsg", sendmmsg(pair[0], &many, 1, 0));
    attempt("send", send(pair[0], "x", 1, 0));
    return 0;
}
