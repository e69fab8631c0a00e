/// The kind and the permissions of a file as Go has them in one number. Bits for a kind, setuid and the sticky bit are not where
/// POSIX has them.
package struct FileMode: Hashable, Sendable {
    /// As trees have it.
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Go's bit and the bits of `st_mode`, for kinds of files. A character device has two of Go's bits.
    private static let kinds: [(bits: UInt32, posix: UInt32)] = [
        (1 << 31, 0o040000), (1 << 27, 0o120000), (1 << 26 | 1 << 21, 0o020000), (1 << 26, 0o060000),
        (1 << 25, 0o010000), (1 << 24, 0o140000), (0, 0o100000),
    ]
    private static let irregular: UInt32 = 1 << 19
    /// setuid, setgid, sticky.
    private static let special: [(bit: UInt32, posix: UInt32)] = [
        (1 << 23, 0o4000), (1 << 22, 0o2000), (1 << 20, 0o1000),
    ]

    /// - Parameter posix: `st_mode`. A kind that there is not becomes Go's irregular file.
    package init(posix: UInt32) {
        let kind = Self.kinds.first { $0.posix == posix & 0o170000 }?.bits ?? Self.irregular
        rawValue = Self.special.reduce(kind | posix & 0o777) { posix & $1.posix == 0 ? $0 : $0 | $1.bit }
    }

    /// `st_mode`; nil for what is no kind of POSIX.
    package var posix: UInt32? {
        let marks = rawValue & (1 << 31 | 1 << 27 | 1 << 26 | 1 << 25 | 1 << 24 | 1 << 21 | Self.irregular)
        guard let kind = Self.kinds.first(where: { $0.bits == marks }) else { return nil }
        return kind.posix | permissions
    }

    /// The bits of `chmod`: read, write and execute, setuid, setgid, sticky.
    package var permissions: UInt32 {
        Self.special.reduce(rawValue & 0o777) { rawValue & $1.bit == 0 ? $0 : $0 | $1.posix }
    }
}
