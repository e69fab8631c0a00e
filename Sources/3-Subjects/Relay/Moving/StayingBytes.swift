import ValiseFailures

/// The bodies of a store whose records move and whose bodies stay: for new records, while they do not know all of them yet.
///
/// Nothing can be removed: what the new records know nothing of belongs to the previous ones. Nothing can be added either.
package final class StayingBytes: ChunkBytes {
    private let bytes: any ChunkBytes

    /// - Parameter bytes: of the records that the new ones are made from.
    package init(_ bytes: any ChunkBytes) { self.bytes = bytes }

    package var sharesNames: Bool { bytes.sharesNames }

    package func location(of name: BodyName) -> String { bytes.location(of: name) }

    package func open(_ name: BodyName, size: UInt32) throws -> (any OpenBody)? {
        try bytes.open(name, size: size)
    }

    package func list(after name: BodyName?, _ visit: (ListedBody) throws -> Bool) throws {
        try bytes.list(after: name, visit)
    }

    package func begin(_ name: BodyName, size: UInt32, digest: [UInt8]) throws -> any IncomingBody {
        throw Self.refusal
    }

    package func remove(_ name: BodyName) throws { throw Self.refusal }

    private static var refusal: XFTPStoreError {
        XFTPStoreError(.denied, "the chunks stay as they are while their records are moved")
    }
}

/// A body that is where it belongs, for records that are about to know of it.
final class StayingBody: IncomingBody {
    func write(_ bytes: UnsafeRawBufferPointer) throws {}
    func finish() throws {}
    func publish() throws {}
    func cancel() throws {}
}
