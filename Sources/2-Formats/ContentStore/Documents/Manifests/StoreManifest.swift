/// What a version of a file consists of: the object `manifests/NAME`.
package enum StoreManifest: Hashable, Sendable {
    /// A regular file (JSON of the versions 2 and 3).
    case file(FileManifest)
    /// A symbolic link (JSON of version 3).
    case link(LinkManifest)
    /// The chunks and nothing else, one on a line, as the first versions wrote it.
    case chunks([ObjectName])
}

/// The content of a regular file and what is known of it.
package struct FileManifest: Hashable, Sendable {
    /// The digest of the unencrypted content.
    package var content: ContentDigest
    /// The size of the unencrypted content, in bytes.
    package var size: Int64
    /// In the order of the file; the same may come again.
    package var chunks: [ObjectName]
    package var clock: VectorClock
    /// The device that wrote this version; may be empty.
    package var device: String
    /// Seconds since 1970.
    package var written: UInt64
    /// Where the file was when it was written, as it stands there; nil where nobody recorded it.
    package var path: String?
    /// With the bits of the kind: `0o100600` for what only the owner reads and writes.
    package var mode: UInt32?
    package var modified: ModificationTime?
    /// The key of the file under the master key, in Base 64; see ``ContentKey``.
    package var wrappedKey: String?
    /// The key of the file for single devices.
    package var deviceKeys: [DeviceKey]

    package init(
        content: ContentDigest, size: Int64, chunks: [ObjectName], clock: VectorClock, device: String,
        written: UInt64, path: String?, mode: UInt32? = nil, modified: ModificationTime? = nil,
        wrappedKey: String? = nil, deviceKeys: [DeviceKey] = []
    ) {
        self.content = content
        self.size = size
        self.chunks = chunks
        self.clock = clock
        self.device = device
        self.written = written
        self.path = path
        self.mode = mode
        self.modified = modified
        self.wrappedKey = wrappedKey
        self.deviceKeys = deviceKeys
    }

    package var isEncrypted: Bool { wrappedKey != nil || !deviceKeys.isEmpty }

    /// 3 where only devices can open it, which older programs must not take for an unencrypted file; else 2.
    package var version: UInt32 { wrappedKey == nil && !deviceKeys.isEmpty ? 3 : 2 }
}

/// A symbolic link and what is known of it.
package struct LinkManifest: Hashable, Sendable {
    /// What it points to.
    package var target: String
    package var clock: VectorClock
    package var device: String
    /// Seconds since 1970.
    package var written: UInt64
    package var path: String?

    package init(target: String, clock: VectorClock, device: String, written: UInt64, path: String?) {
        self.target = target
        self.clock = clock
        self.device = device
        self.written = written
        self.path = path
    }
}

/// When a file was changed last.
package struct ModificationTime: Hashable, Sendable {
    /// Since 1970.
    package let seconds: Int64
    /// Less than a billion.
    package let nanoseconds: UInt32

    package init(seconds: Int64, nanoseconds: UInt32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }
}
