import CValisePlatform
import SystemPackage
import ValiseEncoding
import ValiseFiles

/// The machine, without its name.
enum SystemDescription {
    /// A name and a value each.
    static var lines: [String] {
        [
            "system: \(distribution ?? "unknown")", "kernel: \(kernel ?? "unknown")",
            "architecture: \(architecture)", "processors: \(valise_core_count())",
            "memory: \(memory.map { Count.bytes($0) } ?? "unknown")",
        ]
    }

    /// What the distribution calls itself.
    private static var distribution: String? {
        let fileSystem = FileSystem()
        // A link on most systems, which is not followed unless one asks where it leads.
        guard let path = try? fileSystem.resolve("/etc/os-release"),
            let bytes = try? fileSystem.contents(of: path, limit: 64 << 10)
        else { return nil }
        let name = "PRETTY_NAME="
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(name) }
        return line.map { String($0.dropFirst(name.count)).filter { $0 != "\"" } }
    }

    private static var kernel: String? { try? FileSystem().procText("/proc/sys/kernel/osrelease") }

    private static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "other"
        #endif
    }

    /// In bytes.
    private static var memory: Int64? {
        guard let text = try? FileSystem().procText("/proc/meminfo") else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
        return line?.split(separator: " ").compactMap { Int64($0) }.first.map { $0 << 10 }
    }
}
