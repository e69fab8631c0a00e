import SystemPackage
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The processes of the machine.
enum SystemProcess {
    static let current = JobProcess(
        number: ProcessIdentity.current, start: start(of: ProcessIdentity.current)?.time ?? 0, space: space)

    /// Whether it is certain that a process of this boot runs no more. One of another container is not seen from here, and
    /// where the system does not tell, it lives.
    static func isGone(_ process: JobProcess) -> Bool {
        guard process.space == current.space else { return false }
        if kill(process.number, 0) != 0 { return errno == ESRCH }
        guard let found = start(of: process.number) else { return false }
        return found.isDead || found.time != process.start
    }

    #if os(Linux)
        /// From `/proc/N/stat`: the name is in parentheses and may hold anything, fields are counted behind it.
        private static func start(of process: Int32) -> (time: Int64, isDead: Bool)? {
            guard let text = try? FileSystem().procText(FilePath("/proc/\(process)/stat")),
                let name = text.lastIndex(of: ")")
            else { return nil }
            let fields = text[text.index(after: name)...].split(separator: " ")
            guard fields.count > 19, let time = Int64(fields[19]) else { return nil }
            // Killed, and not yet asked for by the process that started it.
            return (time, ["Z", "X"].contains(fields[0]))
        }

        private static let space: String = {
            var text = [CChar](repeating: 0, count: 64)
            let length = readlink("/proc/self/ns/pid", &text, text.count)
            return String(decoding: text.prefix(max(length, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        }()
    #else
        private static func start(of process: Int32) -> (time: Int64, isDead: Bool)? {
            var information = kinfo_proc()
            var size = MemoryLayout<kinfo_proc>.stride
            var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, process]
            guard sysctl(&name, 4, &information, &size, nil, 0) == 0, size > 0 else { return nil }
            let time = information.kp_proc.p_starttime
            return (
                Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_usec),
                Int32(information.kp_proc.p_stat) == SZOMB
            )
        }

        private static let space = ""
    #endif
}
