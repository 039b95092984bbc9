// Mounts, moves and leaves file systems.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../attempt.h"

int main(void) {
    attempt("mount", syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, 0));
    attempt("umount", syscall(SYS_umount2, "/tmp", 0));
    int context = syscall(SYS_fsopen, "tmpfs", 0);
    attempt("fsopen", context);
    attempt("fsconfig", syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, 0, 0, 0));
    int tree = syscall(SYS_fsmount, context, 0, 0);
    attempt("fsmount", tree);
    attempt("move_mount", syscall(SYS_move_mount, tree, "", AT_FDCWD, "/tmp", MOVE_MOUNT_F_EMPTY_PATH));
    attempt("fspick", syscall(SYS_fspick, AT_FDCWD, "/tmp", 0));
    attempt("open_tree", syscall(SYS_open_tree, AT_FDCWD, "/tmp", OPEN_TREE_CLONE));
    struct mount_attr attributes = {.attr_set = MOUNT_ATTR_NOEXEC};
    attempt("mount_setattr", syscall(SYS_mount_setattr, AT_FDCWD, "/tmp", 0, &attributes, sizeof attributes));
    attempt("chroot", syscall(SYS_chroot, "/tmp"));
    return 0;
}
