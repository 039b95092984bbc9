// Has each of its descriptors watched by each of its lists.
#define _GNU_SOURCE
#include "../attempt.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>

int main(void) {
    int lists[12], events[12], watched = 0;
    for (int at = 0; at < 12; at++) lists[at] = epoll_create1(0), events[at] = eventfd(0, 0);
    for (int list = 0; list < 12; list++)
        for (int event = 0; event < 12; event++) {
            struct epoll_event ready = {EPOLLIN, {0}};
            watched += epoll_ctl(lists[list], EPOLL_CTL_ADD, events[event], &ready) == 0;
        }
    printf("%d watched\n", watched);
    return 0;
}
