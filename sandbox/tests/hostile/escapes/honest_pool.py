# Does honest work: a pool of processes with locks in shared memory, and one of threads.
import concurrent.futures, multiprocessing

if __name__ == "__main__":
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        print(sum(threads.map(abs, range(-9, 0))))
    try:
        with multiprocessing.get_context("fork").Pool(2) as pool:
            print(sum(pool.map(abs, range(-9, 0))))
    except OSError as error:
        print(error.strerror)
