// Gives one file attributes until there is no more room for them.
#define _GNU_SOURCE
#include "../attempt.h"
#include <fcntl.h>
#include <sys/xattr.h>

int main(void) {
    static char value[32768], name[32];
    close(open("hostile-own", O_CREAT | O_WRONLY, 0600));
    int count = 0, left = 0;
    for (; count < 4096 && left == 0; count++) {
        snprintf(name, sizeof name, "user.%d", count);
        left = setxattr("hostile-own", name, value, sizeof value, 0);
    }
    printf("an end: %s\n", left ? "yes" : "no");
    return 0;
}
