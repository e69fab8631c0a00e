import Valise

/// The beginning of an encrypted media file, as a player asks for it: the file is verified once, and only this part decrypted.
func firstBytes(of file: FilePath, keyFile: FilePath, count: Int) async throws -> [UInt8] {
    try await BlockingExecutor.shared.run {
        let descriptor = try FileDescriptor.open(keyFile, .readOnly)
        defer { try? descriptor.close() }
        let key = try SecretBytes(capacity: 4096) { try descriptor.read(into: $0) }
        let reader = try CryptoFileReader(file, key: key)
        return try reader.read(at: 0, count: min(count, Int(reader.contentSize())))
    }
}
