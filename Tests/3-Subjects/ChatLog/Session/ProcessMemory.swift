import SystemPackage
import ValiseFiles

/// How much memory this process has.
enum ProcessMemory {
    /// In bytes; nil where the system does not tell.
    static var resident: Int? {
        guard let text = try? FileSystem().openForReading("/proc/self/statm").bytes(at: 0, count: 100) else {
            return nil
        }
        let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? Int(fields[1]).map { $0 * 4096 } : nil
    }
}
