import NIOCore
import ValiseEncoding
import ValiseXFTPWire

extension RelayStream {
    /// The block that every answer begins with, and what came behind it.
    func takeBlock(_ relay: String) async throws -> ([UInt8], rest: ByteBuffer) {
        var bytes = try await take(atLeast: XFTPBlock.size)
        guard let block = bytes.readBytes(length: XFTPBlock.size) else {
            throw XFTPClientError.violation(
                "the relay's answer ended after \(Count.text(bytes.readableBytes, "byte"))", relay: relay)
        }
        whenAnswered()
        // A copy, so that what is kept has no block before it.
        return (block, ByteBuffer(bytes.readableBytesView))
    }

    /// Everything up to the end, which comes after at most a block.
    func takeAll(_ relay: String) async throws -> [UInt8] {
        let bytes = try await take(atLeast: XFTPBlock.size)
        guard bytes.readableBytes <= XFTPBlock.size else { throw Self.tooMuch(relay) }
        try await expectEnd(after: ByteBuffer(), relay)
        return Array(bytes.readableBytesView)
    }

    /// - Throws: ``XFTPClientError`` when anything follows.
    func expectEnd(after rest: ByteBuffer, _ relay: String) async throws {
        guard rest.readableBytes == 0, try await take(atLeast: 1).readableBytes == 0 else {
            throw Self.tooMuch(relay)
        }
    }

    private static func tooMuch(_ relay: String) -> XFTPClientError {
        .violation("the relay sent more data than expected", relay: relay)
    }
}
