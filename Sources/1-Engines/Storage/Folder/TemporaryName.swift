import SystemPackage
import ValiseFiles

/// The names that files have until they are complete: `NAME-tmp-RANDOM`, as restic's.
enum TemporaryName {
    private static let infix = "-tmp-"

    /// A name in the same folder that nobody else has.
    static func beside(_ path: FilePath) -> FilePath { path.appendingSuffix(suffix()) }

    /// What makes a name one that nobody else has.
    static func suffix() -> String { infix + String(UInt64.random(in: 0 ... .max), radix: 16) }

    /// Whether a name is such a one, of a file of a repository.
    static func matches(_ name: String) -> Bool {
        guard let stem = stem(of: name) else { return false }
        return stem == StoredName.config.description || ContentID(text: stem) != nil
    }

    /// Whether a name is such a one, of files that all have the same name until then.
    static func matches(_ name: String, of stem: String) -> Bool { self.stem(of: name) == stem }

    /// What the name is to become; nil for other names.
    private static func stem(of name: String) -> String? {
        guard let place = name.firstRange(of: infix), place.upperBound < name.endIndex else { return nil }
        return String(name[..<place.lowerBound])
    }

    /// Whether nobody wrote a file for so long.
    ///
    /// - Parameter now: in seconds since 1970. What has a later time is not older.
    static func isOlder(_ file: FileAttributes, than age: Duration, now: Int64) -> Bool {
        let (seconds, overflow) = now.subtractingReportingOverflow(file.modificationTime)
        return !overflow && .seconds(seconds) > age
    }
}
