// Asks whether a set-user-ID program could still give it rights.
#include <stdio.h>
#include <sys/prctl.h>

int main(void) {
    printf("no new privileges: %d\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
    return 0;
}
