#if os(Linux)
    @testable import ValiseAccounts
    import ValiseFailures
    import FaultInjection
    import ValiseFiles
    import Foundation
    import Glibc
    import Synchronization
    import SystemPackage
    import TestPeers
    import Testing

    /// Who is said to use an account: never somebody who only shares descriptors for a moment.
    @Suite(.serialized, .enabled(if: OtherProgram.areAllowed))
    struct AccountLockTests {
        private let account: ChangedAccount
        private let fileSystem = FileSystem()
        private let chat: FilePath

        init() throws {
            account = try ChangedAccount()
            chat = try fileSystem.resolve(account.location.path(of: .chat))
        }

        private func lock() throws {
            _ = try AccountLock(account.location, .exclusive, fileSystem: fileSystem)
        }

        /// Who is named as the holder, and how long that took.
        private func refusal() throws -> (holder: String, time: Duration) {
            let start = ContinuousClock.now
            do {
                try lock()
            } catch let error as AccountError where error.code == .inUse {
                return (error.holder ?? "", ContinuousClock.now - start)
            }
            Issue.record("the lock was had")
            return ("", .zero)
        }

        /// A child of this process that has the chat database open and is not `true` before it is told.
        private func copy() throws -> StartingChild {
            let file = try FileDescriptor.open(chat, .readOnly, options: .closeOnExec)
            let child = try StartingChild(gate: account.folder.appending("gate"), sharing: file)
            let end = ContinuousClock.now + .seconds(20)
            while !fileSystem.processes(withOpen: [chat]).contains(where: { $0 != getpid() }),
                ContinuousClock.now < end
            { usleep(1000) }
            try file.close()
            return child
        }

        @Test func `a child that has yet to become its program is waited for`() throws {
            let child = try copy()
            defer { #expect(child.end() == 0) }
            child.proceed(after: .milliseconds(400))
            try lock()
        }

        /// It let go of everything by that.
        @Test func `who became a program since the last look is looked at once more`() throws {
            let copy = try Spawned("/bin/true", ["true"])
            _ = copy.wait()
            let program = try Spawned("/bin/sleep", ["sleep", "60"])
            defer {
                kill(program.process, SIGKILL)
                _ = program.wait()
            }
            var looks = 0
            try HeldLock.lookingTwice(fileSystem) {
                looks += 1
                if looks < 3 { throw HeldLock(chat, looks == 1 ? copy.process : program.process) }
            }
            #expect(looks == 3)
        }

        @Test func `a copy of a process that stays one is named`() throws {
            let ofOthers = account.folder.appending("other")
            try fileSystem.replace(ofOthers, with: [1])
            let opened = try FileDescriptor.open(ofOthers, .readOnly, options: .closeOnExec)
            defer { try? opened.close() }
            let child = try copy()
            defer { #expect(child.end() == 0) }
            Thread.sleep(forTimeInterval: 5.1)
            let holders = fileSystem.processes(withOpen: [ofOthers]).filter { $0 != getpid() }
            #expect(holders.isEmpty, "the copy has what other tests have open")
            let refusal = try refusal()
            #expect(refusal.time < .seconds(1), "\(refusal.time)")
            child.end()
            try lock()
        }

        @Test func `a program that has a database open is named at once, and not when it was killed`() throws
        {
            let program = try Spawned("/bin/sleep", ["sleep", "60"], input: chat)
            defer {
                kill(program.process, SIGKILL)
                _ = program.wait()
            }
            let refusal = try refusal()
            #expect(refusal.holder == "sleep (PID \(program.process))")
            #expect(refusal.time < .seconds(1), "\(refusal.time)")
            kill(program.process, SIGKILL)
            try lock()
        }

        @Test func `an account that is opened and locked while children are started is free every time`()
            throws
        {
            let (rounds, threads) = (FaultSweep.isIntact ? 300 : 40, 4)
            let isOver = Atomic(false)
            let started = Atomic(0)
            let group = DispatchGroup()
            for _ in 0..<threads {
                group.enter()
                Thread.detachNewThread {
                    while !isOver.load(ordering: .relaxed) {
                        if let child = try? Spawned("/bin/true", ["true"]) { _ = child.wait() }
                        started.add(1, ordering: .relaxed)
                    }
                    group.leave()
                }
            }
            defer {
                isOver.store(true, ordering: .relaxed)
                group.wait()
            }
            for _ in 0..<rounds {
                for database in AccountDatabase.allCases {
                    try fileSystem.openForUpdating(account.location.path(of: database)).close()
                }
                try lock()
            }
            print("\(started.load(ordering: .relaxed)) children were started beside \(rounds) locks")
        }
    }

    /// A program that was started.
    struct Spawned {
        let process: pid_t

        /// - Parameter shared: the only descriptor of this process that the child has while it is a copy: it would keep
        ///   the files and the locks of other tests, too, which run at the same time.
        init(
            _ program: String, _ arguments: [String], input: FilePath = "/dev/null",
            sharing shared: FileDescriptor? = nil
        ) throws {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            if let shared {
                posix_spawn_file_actions_adddup2(&actions, shared.rawValue, 3)
                // One that is not open is no error.
                for other in 4..<Int32(min(sysconf(Int32(_SC_OPEN_MAX)), 4096)) {
                    posix_spawn_file_actions_addclose(&actions, other)
                }
            }
            posix_spawn_file_actions_addopen(&actions, 0, input.string, O_RDONLY, 0)
            var words = arguments.map { strdup($0) } + [nil]
            defer { words.forEach { free($0) } }
            var process: pid_t = 0
            let result = posix_spawn(&process, program, &actions, nil, &words, environ)
            guard result == 0 else { throw Errno(rawValue: result) }
            self.process = process
        }

        func wait() -> Int32 {
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            return status
        }
    }

    /// A child that is held between its making and its program, where it is a copy of this process: it opens a named pipe
    /// there, which waits for the other end.
    final class StartingChild: Sendable {
        private let gate: FilePath
        private let result = Mutex<Int32?>(nil)
        private let group = DispatchGroup()

        init(gate: FilePath, sharing shared: FileDescriptor) throws {
            self.gate = gate
            guard mkfifo(gate.string, 0o600) == 0 else { throw Errno(rawValue: errno) }
            group.enter()
            // Who starts a child waits until it is its program.
            Thread.detachNewThread { [self] in
                let status = (try? Spawned("/bin/true", ["true"], input: gate, sharing: shared))?.wait()
                result.withLock { $0 = status }
                group.leave()
            }
        }

        func proceed(after time: Duration) {
            Thread.detachNewThread { [self] in
                usleep(UInt32(time / .microseconds(1)))
                _ = end()
            }
        }

        /// Lets it become its program, and waits for that one's end.
        /// - Returns: its status.
        @discardableResult
        func end() -> Int32? {
            // Where the child does not wait at the gate yet, or not any more, there is nobody to open it for.
            while group.wait(timeout: .now() + .milliseconds(5)) == .timedOut {
                let other = open(gate.string, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
                if other >= 0 { close(other) }
            }
            return result.withLock { $0 }
        }
    }
#endif
