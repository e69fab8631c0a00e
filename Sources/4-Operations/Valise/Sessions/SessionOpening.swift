import SystemPackage
import ValiseConcurrency
import ValiseFiles
import ValiseSecrets
import ValiseSessionStore

/// How a store of Session is read.
enum SessionReading: Sendable {
    /// Little of it: a profile that nobody uses is read where it is.
    case little
    /// As it lies there, or parts of it.
    case inOrder
    /// All texts, on all cores: a profile that nobody uses is read where it is, the database of a backup is copied.
    case allTexts
    /// All messages, those of each conversation in their order: the database of a backup is copied.
    case byConversation

    /// Whether a profile that nobody uses is read where it is.
    var staysInPlace: Bool { self == .little || self == .allTexts }
    /// Whether the database of a backup is copied: there a page can only be had with many others.
    var copiesBackup: Bool { self == .allTexts || self == .byConversation }
}

/// Opens a store of Session with what is known of its key.
struct SessionOpening: Sendable {
    let place: SessionPlace
    /// For a copy of the database; nil where none is made.
    let work: FilePath?
    var reading = SessionReading.inOrder

    /// A state of the store, and the frames of a backup.
    typealias Opened = (snapshot: SessionSnapshot, backup: SessionBackup?)

    /// - Throws: `SessionStoreError`; `FileError`; whatever `progress` throws.
    func open(_ secret: SessionSecret?, _ progress: ProgressHandler) throws -> Opened {
        var copied: Int64 = 0
        func tell(_ bytes: Int64) throws { try Self.tell(bytes, &copied, progress) }
        switch (place, secret) {
        case (.desktop(let profile), .typed(let password)?):
            if reading.staysInPlace,
                let settled = try profile.settledSnapshot(password: password.bytes.duplicate())
            {
                return (settled, nil)
            }
            let snapshot = try profile.snapshot(
                password: password.bytes.duplicate(), workFolder: workFolder, progress: tell)
            return (snapshot, nil)
        case (.desktop(let profile), _):
            if reading.staysInPlace, let settled = try profile.settledSnapshot(password: nil) {
                return (settled, nil)
            }
            return (try profile.snapshot(password: nil, workFolder: workFolder, progress: tell), nil)
        case (.phone(let container), let secret?):
            let key = try secret.key(of: container)
            return (try container.snapshot(key: key, workFolder: workFolder, progress: tell), nil)
        case (.backup(let path), .typed(let password)?):
            let backup = try SessionBackup(FileSource(path), password: password.bytes)
            let snapshot = try backup.snapshot(
                password: password.bytes, workFolder: reading.copiesBackup ? work : nil, progress: tell)
            return (snapshot, backup)
        case (.phone, nil), (.backup, _): throw Self.noKey(place.path)
        }
    }

    /// Copies the files that an update of the program changes to a folder that is there and empty.
    /// - Throws: as ``open(_:_:)``.
    func copyState(_ secret: SessionSecret?, to folder: FilePath, _ progress: ProgressHandler) throws {
        var copied: Int64 = 0
        func tell(_ bytes: Int64) throws { try Self.tell(bytes, &copied, progress) }
        switch (place, secret) {
        case (.desktop(let profile), .typed(let password)?):
            try profile.copyState(password: password.bytes.duplicate(), to: folder, progress: tell)
        case (.desktop(let profile), _): try profile.copyState(password: nil, to: folder, progress: tell)
        case (.phone(let container), let secret?):
            try container.copyState(key: secret.key(of: container), to: folder, progress: tell)
        case (.phone, nil), (.backup, _): throw Self.noKey(place.path)
        }
    }

    private static func tell(
        _ bytes: Int64, _ copied: inout Int64, _ progress: ProgressHandler
    ) throws {
        copied += bytes
        try progress(OperationProgress("copying the database", completed: copied, unit: .bytes))
    }

    private var workFolder: FilePath { work ?? "/tmp" }

    private static func noKey(_ path: FilePath) -> SessionStoreError {
        SessionStoreError(.noKey, "the store is encrypted", path.string, remedy: .givePassphrase)
    }
}
