import ValiseEncoding

/// What is known of two versions that exclude each other, as tcfs keeps it with the state of a file.
public struct ConflictInfo: Hashable, Sendable {
    /// Of the file, in the store.
    public let path: String
    package let localClock: VectorClock
    package let remoteClock: VectorClock
    /// The digest of the content here, 64 hexadecimal digits.
    public let localContent: String
    /// The digest of the content in the store, 64 hexadecimal digits.
    public let remoteContent: String
    /// The device that wrote the version here.
    public let localDevice: String
    /// The device that wrote the version in the store.
    public let remoteDevice: String
    /// Seconds since 1970.
    public let detected: UInt64
    /// How often it was found since.
    package let timesRecorded: UInt64
    /// The key of the manifest in the store; nil where nobody recorded it.
    package let remoteManifest: String?

    package init(
        path: String, localClock: VectorClock, remoteClock: VectorClock, localContent: String,
        remoteContent: String, localDevice: String, remoteDevice: String, detected: UInt64,
        timesRecorded: UInt64 = 1, remoteManifest: String? = nil
    ) {
        self.path = path
        self.localClock = localClock
        self.remoteClock = remoteClock
        self.localContent = localContent
        self.remoteContent = remoteContent
        self.localDevice = localDevice
        self.remoteDevice = remoteDevice
        self.detected = detected
        self.timesRecorded = timesRecorded
        self.remoteManifest = remoteManifest
    }

    private static let mostBytes = 1 << 20

    /// - Throws: ``ContentStoreError``: `damaged`; `unsupported` for more than 1 MiB.
    package init(parsing bytes: [UInt8]) throws(ContentStoreError) {
        let fields = try DocumentFields(parsing: bytes, "conflict record", mostBytes: Self.mostBytes)
        self.init(
            path: try fields.text("rel_path"), localClock: try VectorClock(fields.fields("local_vclock")),
            remoteClock: try VectorClock(fields.fields("remote_vclock")),
            localContent: try fields.text("local_blake3"), remoteContent: try fields.text("remote_blake3"),
            localDevice: try fields.text("local_device"), remoteDevice: try fields.text("remote_device"),
            detected: try fields.number("detected_at"),
            timesRecorded: try fields.optionalNumber("times_recorded") ?? 1,
            remoteManifest: try fields.optionalText("remote_manifest_key"))
    }

    /// The document.
    package func encoded() -> [UInt8] {
        var writer = StoreDocumentWriter()
        writer.object { writer in
            writer.member("rel_path", path)
            writer.key("local_vclock")
            localClock.write(to: &writer)
            writer.key("remote_vclock")
            remoteClock.write(to: &writer)
            writer.member("local_blake3", localContent)
            writer.member("remote_blake3", remoteContent)
            writer.member("local_device", localDevice)
            writer.member("remote_device", remoteDevice)
            writer.member("detected_at", detected)
            writer.member("times_recorded", timesRecorded)
            if let remoteManifest { writer.member("remote_manifest_key", remoteManifest) }
        }
        return writer.bytes
    }
}

extension ConflictInfo {
    /// What the losing version is called where both are kept: `name.conflict-DEVICE.ext` beside the other one.
    ///
    /// - Parameters:
    ///   - path: with slashes.
    ///   - device: whose version it is.
    package static func nameOfCopy(of path: String, device: String) -> String {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let mark = ".conflict-\(device)"
        guard let dot = path[start...].lastIndex(of: "."), dot > start else { return path + mark }
        return path[..<dot] + mark + path[dot...]
    }
}
