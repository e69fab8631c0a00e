#if os(Linux)
    import ValiseFiles
    import Glibc
    import SystemPackage

    /// What the kernel tells of a process (proc_pid_stat(5)).
    struct ProcessState {
        /// Whether it was made as a copy of another and has not become a program of its own.
        let isCopy: Bool
        /// Whether it has ended, or is about to.
        let isEnding: Bool
        /// Since it was made.
        let age: Duration

        // Of linux/sched.h.
        private static let exiting: UInt64 = 0x4
        private static let forkedWithoutExec: UInt64 = 0x40

        /// - Returns: nil where there is none of this number, or the system does not show it.
        init?(_ process: Int32, _ fileSystem: FileSystem) {
            guard let text = try? fileSystem.procText(FilePath("/proc/\(process)/stat")),
                // The name before it may have brackets and spaces of its own.
                let name = text.lastIndex(of: ")"),
                let uptime = try? fileSystem.procText("/proc/uptime"),
                let now = uptime.split(separator: " ").first.flatMap({ Double($0) })
            else { return nil }
            let fields = text[text.index(after: name)...].split(separator: " ")
            guard fields.count > 19, let flags = UInt64(fields[6]), let start = Double(fields[19]) else {
                return nil
            }
            isCopy = flags & Self.forkedWithoutExec != 0
            isEnding =
                flags & Self.exiting != 0 || ["Z", "X", "x"].contains(fields[0])
                || Self.isKilled(process, fileSystem)
            age = .seconds(now - start / Double(sysconf(Int32(_SC_CLK_TCK))))
        }

        /// Whether SIGKILL waits for it.
        private static func isKilled(_ process: Int32, _ fileSystem: FileSystem) -> Bool {
            guard let status = try? fileSystem.procText(FilePath("/proc/\(process)/status")) else {
                return false
            }
            return status.split(separator: "\n").contains { line in
                guard line.hasPrefix("SigPnd:") || line.hasPrefix("ShdPnd:"),
                    let signals = UInt64(line.dropFirst(7).trimmingPrefix(while: \.isWhitespace), radix: 16)
                else { return false }
                return signals >> UInt64(SIGKILL - 1) & 1 == 1
            }
        }
    }
#endif
