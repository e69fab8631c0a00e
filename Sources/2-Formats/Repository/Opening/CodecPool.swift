import Synchronization

/// Codecs of one key, each for one thread at a time: to make one takes longer than to use it for a small file.
final class CodecPool: Sendable {
    /// What is in the lock leaves it only for as long as the lock is held.
    private final class Holder: Sendable {
        let codec: Mutex<RepositoryCodec>

        init(_ codec: consuming sending RepositoryCodec) { self.codec = Mutex(codec) }
    }

    let key: MasterKey
    let version: Int
    private let free = Mutex<[Holder]>([])

    init(_ key: MasterKey, version: Int) {
        self.key = key
        self.version = version
    }

    func use<Result>(_ body: (inout RepositoryCodec) throws -> Result) throws -> Result {
        let holder = try free.withLock { $0.popLast() } ?? Holder(RepositoryCodec(key, version: version))
        defer { free.withLock { $0.append(holder) } }
        return try holder.codec.withLock { codec throws in try body(&codec) }
    }
}
