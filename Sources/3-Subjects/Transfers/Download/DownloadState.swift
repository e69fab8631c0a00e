import ValiseCryptoFiles
import ValiseXFTPWire

/// What is received, and in which form.
struct DownloadRequest: Sendable {
    /// As of ``DownloadIdentity``.
    let identity: [UInt8]
    /// Whether it is to be encrypted where it lies.
    var isEncrypted: Bool
}

/// What an interrupted download's journal says.
struct DownloadState: Sendable {
    var identity: [UInt8]?
    var keys: CryptoFileArgs?
    var heads: [Int: [UInt8]] = [:]
    var chunks: Set<ChunkPlace> = []
    var verified: Set<Int> = []
    var publishing: Publication?

    mutating func apply(_ record: DownloadRecord) {
        switch record {
        case .request(let identity, let keys): (self.identity, self.keys) = (identity, keys)
        case .head(let part, let bytes): heads[part] = bytes
        case .chunk(let place): chunks.insert(place)
        case .verified(let part): verified.insert(part)
        case .publishing(let publication): publishing = publication
        }
    }

    func belongs(to request: DownloadRequest) -> Bool {
        identity == request.identity && (keys != nil) == request.isEncrypted
    }

    /// How much of some files is in its place, in bytes as it traveled.
    func received(of files: [FileDescription]) -> Int64 {
        chunks.reduce(0) { sum, place in
            guard files.indices.contains(place.file),
                files[place.file].chunks.indices.contains(place.chunk)
            else { return sum }
            return sum + files[place.file].chunks[place.chunk].size
        }
    }
}
