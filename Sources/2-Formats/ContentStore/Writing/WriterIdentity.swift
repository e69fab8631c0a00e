import ValiseEncoding

/// Who writes to a store, and when.
package struct WriterIdentity: Sendable {
    /// The name of this device in vector clocks and manifests.
    package let device: String
    /// Seconds since 1970.
    package let now: @Sendable () -> Int64
    /// Gives 16 random bytes, for names that nobody else chooses.
    private let random: @Sendable () -> [UInt8]

    /// - Parameters:
    ///   - device: a name of one line; not empty.
    ///   - now: seconds since 1970.
    ///   - random: gives 16 bytes, others each time.
    /// - Throws: ``ContentStoreError``: `invalid` for such a name.
    package init(
        device: String, now: @escaping @Sendable () -> Int64,
        random: @escaping @Sendable () -> [UInt8] = { WriterIdentity.systemRandom() }
    ) throws(ContentStoreError) {
        let isValid =
            !device.isEmpty && device.utf8.count <= 256
            && device.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isValid else {
            throw ContentStoreError(.invalid, "a device name is one line of at most 256 bytes", device)
        }
        self.device = device
        self.now = now
        self.random = random
    }

    package static func systemRandom() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// A random UUID (version 4) in its canonical form.
    func uuid() -> String {
        var bytes = random()
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        let digits = Array(Hexadecimal.encode(bytes))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}
