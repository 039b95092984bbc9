// Changes what an owner may change of a file without writing to it.
#define _GNU_SOURCE
#include "../attempt.h"
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

int main(int count, char **words) {
    (void)count;
    // One of its own where it can make one, else its own program.
    const char *name = "hostile-own";
    int file = open(name, O_RDONLY | O_CREAT, 0600);
    if (file < 0) {
        name = words[0];
        file = open(name, O_RDONLY);
    }
    attempt("chmod", chmod(name, 0700));
    attempt("fchmod", fchmod(file, 0700));
    attempt("fchmodat", syscall(SYS_fchmodat, AT_FDCWD, name, 0700));
    attempt("fchmodat2", syscall(452, AT_FDCWD, name, 0700, 0));
    attempt("chown", chown(name, geteuid(), getegid()));
    attempt("fchown", fchown(file, geteuid(), getegid()));
    attempt("lchown", lchown(name, geteuid(), getegid()));
    attempt("utimensat", utimensat(AT_FDCWD, name, NULL, 0));
    attempt("setxattr", setxattr(name, "user.hostile", "1", 1, 0));
    attempt("fsetxattr", fsetxattr(file, "user.hostile", "1", 1, 0));
    attempt("removexattr", removexattr(name, "user.hostile"));
    int flags = 0;
    attempt("flags", ioctl(file, FS_IOC_SETFLAGS, &flags));
    unlink("hostile-own");
    return 0;
}
