// Reads attributes of files, which say more than a name and a size.
#define _GNU_SOURCE
#include "../attempt.h"
#include <fcntl.h>
#include <sys/xattr.h>

int main(void) {
    static char room[256];
    int file = open(OWN_PROGRAM, O_RDONLY);
    attempt("getxattr", getxattr("/", "user.hostile", room, sizeof room));
    attempt("lgetxattr", lgetxattr("/", "user.hostile", room, sizeof room));
    attempt("fgetxattr", fgetxattr(file, "user.hostile", room, sizeof room));
    attempt("listxattr", listxattr("/", room, sizeof room));
    attempt("llistxattr", llistxattr("/", room, sizeof room));
    attempt("flistxattr", flistxattr(file, room, sizeof room));
    attempt("getxattrat", syscall(464, -100, "/", 0, "user.hostile", room, 16UL));
    attempt("listxattrat", syscall(465, -100, "/", 0, room, sizeof room));
    attempt("file_getattr", syscall(468, -100, "/", room, 24UL, 0));
    return 0;
}
