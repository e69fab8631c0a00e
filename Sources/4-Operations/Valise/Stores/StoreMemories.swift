import SystemPackage
import ValiseContentStore
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// What this user's state folder remembers of a store, so that it is known when the last proof was.
package struct StoreMemory: Codable, Sendable, Equatable {
    /// A verification.
    package struct Verification: Codable, Sendable, Equatable {
        /// When it ended, in seconds since 1970.
        package var time: Int64
        /// Whether nothing was lost or wrong.
        package var hasSucceeded: Bool
        /// How much was read: `all`, such as `1/7`, or `none`.
        package var extent: String
    }

    /// Of this record.
    package var version = 1
    /// As it is named from any folder.
    package var place: String
    package var lastVerification: Verification?
    /// When everything had been read without an error, at once or in parts.
    package var lastCompleteReading: Int64?
    /// Which of how many parts were read since then, and when: the number of a part to the time.
    package var partsRead: [Int: Int64] = [:]
    /// How many parts there are.
    package var partCount: Int?

    init(place: String) { self.place = place }

    /// Writes down a verification. What was damaged when content was read is not taken for intact because nobody read it again.
    mutating func remember(_ verification: Verification, _ share: VerificationShare) {
        let isSuperseded = share != .none || lastVerification?.extent == Self.none
        if !verification.hasSucceeded || isSuperseded || lastVerification?.hasSucceeded != false {
            lastVerification = verification
        }
        guard verification.hasSucceeded else { return }
        switch share {
        case .none: break
        case .all: complete(at: verification.time)
        case .part(let number, let count):
            if partCount != count { (partCount, partsRead) = (count, [:]) }
            partsRead[number] = verification.time
            if partsRead.count == count { complete(at: partsRead.values.min() ?? verification.time) }
        }
    }

    private mutating func complete(at time: Int64) {
        (lastCompleteReading, partCount, partsRead) = (time, nil, [:])
    }

    /// The extent of a verification that reads no content.
    static let none = "none"
}

/// The records of all stores of a user.
struct StoreMemories: Sendable {
    private let folder: FilePath?

    /// In bytes.
    private static let largest = 4 << 20

    /// - Parameter folders: without a folder for states nothing is remembered.
    init(_ folders: ValiseFolders) { folder = folders.state?.appending("stores") }

    /// What is remembered of a store; nil for nothing.
    /// - Throws: `FileError`; `CryptographyError`.
    func memory(of store: StoreAddress) throws -> StoreMemory? {
        guard let path = try path(of: store), try FileSystem().exists(path) else { return nil }
        return try? JSONText.decode(
            StoreMemory.self, from: FileSystem().contents(of: path, limit: Self.largest))
    }

    /// Changes what is remembered. Several programs may do so at once.
    /// - Throws: `FileError`; `CryptographyError`.
    func update(_ store: StoreAddress, _ change: (inout StoreMemory) -> Void) throws {
        guard let folder, let path = try path(of: store) else { return }
        try FileSystem().makeDirectories(folder)
        let lock = try DirectoryLock.take(folder, .exclusive, patience: .seconds(10))
        defer { extendLifetime(lock) }
        let before = try memory(of: store)
        var memory = before ?? StoreMemory(place: store.absoluteText)
        change(&memory)
        guard memory != before else { return }
        try FileSystem().replace(path, with: JSONText.encodeBytes(memory))
    }

    /// By the digest of the address: stores have no identifier of their own.
    private func path(of store: StoreAddress) throws -> FilePath? {
        guard let folder else { return nil }
        return folder.appending(try ContentDigest(of: Array(store.canonicalText.utf8)).text + ".json")
    }
}
