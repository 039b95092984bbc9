# Does honest work: a database in a file, with locks and waiting for the disk.
import sqlite3, tempfile

with tempfile.TemporaryDirectory(dir="/tmp") as folder:
    base = sqlite3.connect(folder + "/base")
    base.execute("create table t(x)")
    base.executemany("insert into t values (?)", [(n,) for n in range(100)])
    base.commit()
    print(base.execute("select sum(x) from t").fetchone())
    base.close()
