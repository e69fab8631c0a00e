import Fuzzing
import ValiseContentStore

/// Documents of a store: what is read is written, and read again as the same.
enum StoredDocumentTarget {
    static func manifest(_ bytes: [UInt8]) {
        guard let manifest = try? StoreManifest(parsing: bytes) else { return }
        let written = manifest.encoded()
        FuzzRun.require((try? StoreManifest(parsing: written)) == manifest, "a manifest is read again")
        guard case .file(let file) = manifest else { return }
        FuzzRun.require(file.chunks.count <= Int(clamping: file.size), "no chunk is empty")
        // Nobody has a key for what a stranger wrote.
        let key = try? StoreKeys.none.key(of: file)
        FuzzRun.require(key == nil || !file.isEncrypted, "an encrypted file needs a key")
    }

    static func entry(_ bytes: [UInt8]) {
        guard let entry = try? IndexEntry(parsing: bytes) else { return }
        FuzzRun.require((try? IndexEntry(parsing: entry.encoded())) == entry, "an entry is read again")
        if case .committed(let item) = entry, let text = item.encodedText {
            FuzzRun.require(
                (try? IndexEntry(parsing: text)) == entry, "an entry is read again from its lines")
        }
    }

    static func reservation(_ bytes: [UInt8]) {
        guard let reservation = try? NamespaceReservation(parsing: bytes) else { return }
        let again = try? NamespaceReservation(parsing: reservation.encoded())
        FuzzRun.require(again == reservation, "a reservation is read again")
    }

    static func placeholder(_ bytes: [UInt8]) {
        guard let file = try? PlaceholderFile(parsing: bytes) else { return }
        FuzzRun.require(
            (try? PlaceholderFile(parsing: file.encoded())) == file, "a placeholder is read again")
    }

    static func conflict(_ bytes: [UInt8]) {
        guard let record = try? ConflictInfo(parsing: bytes) else { return }
        FuzzRun.require((try? ConflictInfo(parsing: record.encoded())) == record, "a conflict is read again")
        _ = ConflictInfo.nameOfCopy(of: record.path, device: record.localDevice)
    }
}
