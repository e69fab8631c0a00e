import FaultInjection
import SystemPackage
import TestPeers
import Testing
import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseRepository

@testable import ValiseMounting

/// Whether this machine can mount file systems.
private let canMount: Bool = {
    guard OtherProgram.areAllowed, (try? FuseLibrary.version()) != nil else { return false }
    do {
        try MountPoint.checkSystem()
        let folder = try TemporaryFolder("valise-fuse")
        _ = try FuseMount.mount(MadeTree([]), at: folder.path)
        // It is unmounted with its last owner.
        let parent = try FileSystem().attributes(of: folder.path.parentFolder)?.device
        for _ in 0..<200 where (try? FileSystem().attributes(of: folder.path))??.device != parent {
            FileSystem.wait(.milliseconds(10))
        }
        return true
    } catch {
        print("no mounts here: \(error)")
        return false
    }
}()

/// Mounts that other programs read.
@Suite(.enabled(if: canMount), .serialized)
struct FuseMountTests {
    /// Mounts a tree while a closure runs. What blocks runs on a thread of its own.
    private func withMount<Result: Sendable>(
        _ tree: any FileTree, _ options: FuseOptions = FuseOptions(),
        problem: @escaping @Sendable (MountProblem) -> Void = { _ in },
        _ body: @escaping @Sendable (FilePath) throws -> Result
    ) async throws -> Result {
        let folder = try TemporaryFolder("valise-fuse")
        let mount = try FuseMount.mount(tree, at: folder.path, options: options, problem: problem)
        let result = await Task { try await BlockingExecutor.shared.run { try body(mount.folder) } }.result
        await mount.unmount()
        #expect(try FileSystem().list(folder.path).isEmpty, "it is still mounted")
        return try result.get()
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> (
        status: Int32, output: String
    ) {
        try #require(OtherProgram(program)).run(arguments)
    }

    @Test(arguments: [false, true])
    func `a mounted archive has the files of an extraction, and no other`(decrypts: Bool) async throws {
        let fixture = try MountFixture()
        let tree = try fixture.archiveTree(decrypts: decrypts)
        let extracted = try fixture.extracted(decrypts: decrypts)
        try await withMount(tree) { (folder: FilePath) throws in
            let (status, output) = try Self.run("diff", ["-r", extracted.string, folder.string])
            #expect(status == 0, "\(output)")
        }
    }

    @Test func `a mounted repository has the files of a restore`() async throws {
        let fixture = try MountFixture()
        let repository = try fixture.repository()
        _ = try fixture.backUp(into: repository, host: "laptop", at: 1_790_000_000)
        let snapshots = try repository.snapshots { throw $0 }
        try repository.loadIndex(damaged: { throw $0 })
        let media = fixture.location.filesFolder
        try await withMount(RepositoryTree(repository, snapshots)) { (folder: FilePath) throws in
            let latest = folder.appending("hosts/laptop/snapshots/latest")
            let (_, found) = try Self.run("find", ["-L", latest.string, "-name", "simplex_v1_files"])
            let place = found.split(separator: "\n").map(String.init)
            let (status, output) = try Self.run("diff", ["-r", media.string, try #require(place.first)])
            #expect(status == 0, "\(output)")
        }
    }

    @Test func `many programs read at once`() async throws {
        let fixture = try MountFixture()
        let tree = try fixture.archiveTree(decrypts: true)
        let extracted = try fixture.extracted(decrypts: true)
        try await withMount(tree) { (folder: FilePath) throws in
            let script = """
                for i in 1 2 3 4 5 6 7 8; do
                  (cd \(folder.string) && find . -type f -print0 | sort -zR | xargs -0 sha256sum | sort -k2) > \(extracted.string).$i &
                done; wait
                cd \(extracted.string) && find . -type f -print0 | xargs -0 sha256sum | sort -k2 > \(extracted.string).0
                for i in 1 2 3 4 5 6 7 8; do cmp \(extracted.string).0 \(extracted.string).$i || exit 1; done
                """
            let (status, output) = try Self.run("bash", ["-c", script])
            #expect(status == 0, "\(output)")
        }
    }

    /// As `fio` would: several processes, each at random places, by calls and by memory that is mapped.
    @Test func `random parts of a fetched file are what they are in the file`() async throws {
        let folder = try TemporaryFolder("valise-fuse-random", inMemory: true)
        var generator = SeededGenerator(seed: 11)
        let content = (0..<9_000_001).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let original = folder.appending("original")
        var file = try FileSystem().create(original)
        try file.write(content)
        let store = MadeStore()
        store.put("large", content)
        let cache = try BlockCache(in: folder.appending("cache"), capacity: 4 << 20)
        let seed = UInt32.random(in: 0 ... .max)
        let script = """
            import mmap, os, random, sys
            original, mounted, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
            whole = open(original, "rb").read()
            children = []
            for child in range(4):
                if pid := os.fork():
                    children.append(pid)
                    continue
                choice = random.Random(seed + child)
                file = os.open(mounted, os.O_RDONLY)
                mapped = mmap.mmap(file, 0, prot=mmap.PROT_READ)
                for _ in range(400):
                    start = choice.randrange(len(whole) + 10)
                    size = choice.choice([1, 512, 4096, 65536, 300000])
                    wanted = whole[start:start + size]
                    if os.pread(file, size, start) != wanted or mapped[start:start + size] != wanted:
                        print("other bytes at", start, "of", size, flush=True)
                        os._exit(1)
                os._exit(0)
            sys.exit(max(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children))
            """
        try await withMount(StoreTree(store, cache: cache)) { (folder: FilePath) throws in
            let (status, output) = try Self.run(
                "python3", ["-c", script, original.string, folder.appending("large").string, "\(seed)"])
            #expect(status == 0, "seed \(seed): \(output)")
        }
        cache.close()
    }

    @Test func `nothing can be changed`() async throws {
        let tree = MadeTree([.file("a", [1, 2, 3]), .folder("d", [])])
        try await withMount(tree) { (folder: FilePath) throws in
            let script = """
                cd \(folder.string); umask 0
                echo x > a; echo x >> a; echo x > b; mkdir e; rm a; mv a b; ln a b; ln -s a b; chmod 777 a; touch a
                truncate -s 0 a; rmdir d; mknod p p; sync; cat a
                """
            let outcome = try #require(OtherProgram("bash")).outcome(of: ["-c", script])
            #expect(outcome.output == [1, 2, 3])
            let lines = String(decoding: outcome.errors, as: UTF8.self).split(separator: "\n")
            #expect(
                lines.count == 13 && lines.allSatisfy { $0.contains("Read-only file system") }, "\(lines)")
            let (_, mounts) = try Self.run("cat", ["/proc/mounts"])
            let line = try #require(mounts.split(separator: "\n").first { $0.contains(folder.string) })
            for word in ["ro,", "nosuid", "nodev", "noexec", "fuse.valise"] {
                #expect(line.contains(word), "\(line)")
            }
        }
    }

    @Test func `a folder of many entries is listed in order, from any place`() async throws {
        let count = 30_000
        let tree = MadeTree((0..<count).map { .file("file-\(String(1_000_000 + $0))", [UInt8($0 & 255)]) })
        try await withMount(tree) { (folder: FilePath) throws in
            let script = """
                import os, sys
                names = os.listdir(sys.argv[1])
                assert len(names) == \(count) and names == sorted(names), len(names)
                with os.scandir(sys.argv[1]) as entries:
                    for number, entry in enumerate(entries):
                        if number % 500 == 0: assert entry.inode() == entry.stat().st_ino, entry
                import ctypes
                libc = ctypes.CDLL(None, use_errno=True)
                libc.opendir.restype = ctypes.c_void_p
                libc.telldir.argtypes = [ctypes.c_void_p]; libc.telldir.restype = ctypes.c_long
                libc.seekdir.argtypes = [ctypes.c_void_p, ctypes.c_long]
                libc.rewinddir.argtypes = [ctypes.c_void_p]
                class Entry(ctypes.Structure):
                    _fields_ = [("ino", ctypes.c_uint64), ("off", ctypes.c_int64), ("reclen", ctypes.c_uint16),
                                ("type", ctypes.c_uint8), ("name", ctypes.c_char * 256)]
                libc.readdir.argtypes = [ctypes.c_void_p]; libc.readdir.restype = ctypes.POINTER(Entry)
                d = libc.opendir(sys.argv[1].encode())
                seen = []
                for _ in range(12000):
                    seen.append((libc.telldir(d), libc.readdir(d).contents.name))
                for place in [11999, 7, 5000, 0, 2, 1, 9999]:
                    libc.seekdir(d, seen[place][0])
                    assert libc.readdir(d).contents.name == seen[place][1], place
                libc.rewinddir(d)
                assert libc.readdir(d).contents.name == b"."
                """
            let (status, output) = try Self.run("python3", ["-c", script, folder.string])
            #expect(status == 0, "\(output)")
        }
    }

    @Test func `names and links are bytes of any kind`() async throws {
        let odd: [UInt8] = [0xff, 0x20, 0x0a, 0x22, 0xc3]
        let tree = MadeTree([
            TreeEntry(odd, TreeItem(.file(MadeContent { MadeFile([7]) }, size: 1))),
            TreeEntry(Array("link".utf8), TreeItem(.link(odd))),
            .link("dangling", to: "nowhere/at/all"),
            TreeEntry([UInt8](repeating: 0x61, count: 300), TreeItem(.link(odd))),
            .file("\u{e9}", [1]), .file("e\u{301}", [2]),
        ])
        let problems = ProblemList()
        try await withMount(tree, problem: { problems.add($0) }) { (folder: FilePath) throws in
            let script = """
                import os, sys
                os.chdir(sys.argv[1])
                assert open(b"\\xff \\n\\"\\xc3", "rb").read() == b"\\x07"
                assert os.readlink(b"link") == b"\\xff \\n\\"\\xc3"
                assert open("link", "rb").read() == b"\\x07"
                assert os.readlink("dangling") == "nowhere/at/all"
                assert open("\\u00e9", "rb").read() == b"\\x01" and open("e\\u0301", "rb").read() == b"\\x02"
                assert len(os.listdir(b".")) == 5, os.listdir(b".")
                assert os.stat(b".").st_mode & 0o777 == 0o555
                """
            let (status, output) = try Self.run("python3", ["-c", script, folder.string])
            #expect(status == 0, "\(output)")
        }
        #expect(!problems.names.isEmpty, "the long name is left out, and told")
    }

    @Test func `a file that cannot be read is an error of input and output, and told`() async throws {
        let problems = ProblemList()
        let tree = MadeTree([
            .opened("damaged", size: 10) {
                WaitingFile(size: 10) { _ in throw MountError(.damaged, "damaged") }
            },
            .opened("denied", size: 10) { throw MountError(.denied, "denied") }, .file("good", [1]),
        ])
        try await withMount(tree, problem: { problems.add($0) }) { (folder: FilePath) throws in
            let (status, output) = try Self.run(
                "bash", ["-c", "cd \(folder.string); LC_ALL=C cat damaged denied missing good"])
            #expect(status != 0)
            #expect(output.contains("damaged: Input/output error"), "\(output)")
            #expect(output.contains("denied: Permission denied"), "\(output)")
            #expect(output.contains("missing: No such file"), "\(output)")
        }
        #expect(Set(problems.names) == ["damaged", "denied"])
    }

    @Test func `what takes long ends with the program that asked`() async throws {
        // All threads would be busy otherwise.
        var options = FuseOptions()
        options.threads = 2
        try await withMount(MadeTree([.slow("slow"), .file("good", [1])]), options) {
            (folder: FilePath) throws in
            for _ in 0..<3 {
                let path = folder.appending("slow").string
                let (status, _) = try Self.run("timeout", ["-s", "KILL", "0.5", "cat", path])
                #expect(status != 0)
            }
            let (status, output) = try Self.run("timeout", ["10", "cat", folder.appending("good").string])
            #expect(status == 0 && output == "\u{1}")
        }
    }

    @Test func `it is unmounted while programs use it`() async throws {
        let folder = try TemporaryFolder("valise-fuse")
        let tree = MadeTree([
            .file("a", [1]),
            .opened("slow", size: 10) {
                WaitingFile(size: 10) { checkpoint in
                    while true {
                        try checkpoint()
                        FileSystem.wait(.milliseconds(5))
                    }
                }
            },
        ])
        let mount = try FuseMount.mount(tree, at: folder.path)
        let path = mount.folder
        let reading = BackgroundTask { _ in
            try Self.run(
                "bash", ["-c", "cd \(path.string) && exec 3< a && cat slow; sleep 0.5; cat <&3; ls"])
        }
        try await Task.sleep(for: .milliseconds(700))
        await mount.unmount()
        await mount.unmount()
        #expect(try FileSystem().list(folder.path).isEmpty)
        let status = try await BlockingExecutor.shared.run { try reading.value().status }
        #expect(status != 0)
    }

    @Test func `another program unmounts it`() async throws {
        let folder = try TemporaryFolder("valise-fuse")
        let mount = try FuseMount.mount(MadeTree([.file("a", [1])]), at: folder.path)
        let path = mount.folder
        try await BlockingExecutor.shared.run {
            let (status, output) = try Self.run("umount", [path.string])
            #expect(status == 0, "\(output)")
        }
        await mount.waitUntilUnmounted()
        await mount.unmount()
        #expect(try FileSystem().list(folder.path).isEmpty)
    }

    @Test func `it ends with its last owner`() async throws {
        let folder = try TemporaryFolder("valise-fuse")
        do { _ = try FuseMount.mount(MadeTree([.file("a", [1])]), at: folder.path) }
        // For a moment it is neither mounted nor unmounted.
        for _ in 0..<200 where (try? FileSystem().list(folder.path).isEmpty) != true {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(try FileSystem().list(folder.path).isEmpty)
    }

    @Test func `what is there already is not covered`() async throws {
        let folder = try TemporaryFolder("valise-fuse")
        func code(_ path: FilePath) -> FailureCode? {
            do {
                _ = try FuseMount.mount(MadeTree([]), at: path)
                return nil
            } catch {
                return (error as? any Failure)?.code
            }
        }
        #expect(code(folder.appending("none")) == .notFound)
        try FileSystem().replace(folder.appending("file"), with: [1])
        #expect(code(folder.appending("file")) == .unsupported)
        #expect(code(folder.path) == .alreadyExists)
        try FileSystem().makeDirectory(folder.appending("point"))
        let mount = try FuseMount.mount(MadeTree([]), at: folder.appending("point"))
        #expect(code(folder.appending("point")) == .inUse)
        await mount.unmount()
    }

    @Test func `git sees a clean work tree`() async throws {
        let git = try #require(OtherProgram("git"))
        let folder = try TemporaryFolder("valise-fuse")
        let (work, archive) = (folder.appending("work"), folder.appending("a.zip"))
        let script = """
            set -e; mkdir \(work.string); cd \(work.string); git init -q .; mkdir -p d/e
            for i in $(seq 300); do echo "line $i" > d/file-$i; done; seq 100000 > d/e/long; git add .
            git -c user.name=a -c user.email=a@b.c commit -qm first
            """
        #expect(try Self.run("bash", ["-c", script]).status == 0)
        let made = try Self.run(
            "python3",
            [
                "-c", "import shutil, sys; shutil.make_archive(sys.argv[1][:-4], 'zip', sys.argv[2])",
                archive.string, work.string,
            ])
        #expect(made.status == 0, "\(made.output)")
        try await withMount(try ArchiveTree(archive)) { (mounted: FilePath) throws in
            let status = try git.outcome(
                of: ["-c", "safe.directory=*", "status", "--porcelain=v1"], in: mounted.string)
            #expect(status.status == 0 && status.output.isEmpty, "\(status.text)")
            let check = try git.run(["-c", "safe.directory=*", "fsck", "--full"], in: mounted.string)
            #expect(check.status == 0, "\(check.output)")
            let log = try git.run(["-c", "safe.directory=*", "log", "--oneline"], in: mounted.string)
            #expect(log.output.contains("first"))
            let (same, output) = try Self.run("diff", ["-r", work.string, mounted.string])
            #expect(same == 0, "\(output)")
        }
    }

    @Test func `the kernel is asked to let go of what it does not use`() async throws {
        let folder = try TemporaryFolder("valise-fuse")
        let tree = MadeTree((0..<4000).map { .file("file-\($0)", [1]) })
        let handler = FuseHandler(tree, most: 500) { _ in }
        let session = try FuseSession(handler, at: folder.path, FuseOptions(), isConstant: true, threads: 2)
        let served = DispatchedThreads(2) { _ = session.serve() }
        try await BlockingExecutor.shared.run {
            let (status, output) = try Self.run(
                "bash",
                [
                    "-c",
                    "cd \(folder.path.string); stat file-* > /dev/null; cat file-* | wc -c; stat file-* > /dev/null",
                ])
            #expect(status == 0 && output.contains("4000"), "\(output)")
        }
        #expect(handler.table.count < 1500, "\(handler.table.count) are known")
        session.stop()
        await served.wait()
    }
}

/// Threads that a test starts and waits for.
private struct DispatchedThreads {
    private let tasks: [BackgroundTask<Void>]

    init(_ count: Int, _ body: @escaping @Sendable () -> Void) {
        tasks = (0..<count).map { _ in BackgroundTask { _ in body() } }
    }

    func wait() async {
        for task in tasks { try? await BlockingExecutor.shared.run { try task.value() } }
    }
}
