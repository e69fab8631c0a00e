import Foundation
import Valise

/// Puts a file into a store and reads it back, as the sample of a File Provider extension does.
/// - Returns: what is in the store at the end, and what happened since it was empty.
func provide(_ file: FilePath, in folder: FilePath) throws -> (items: [EngineItem], changes: EngineChanges) {
    let key = SharedSecret(try SecretBytes(copying: Array(repeating: 7, count: 32)))
    var settings = StoreProviderSettings(
        store: folder.string, device: "phone",
        stateFolder: folder.removingLastComponent().appending("anchors"))
    settings.key = .master(key)
    let engine: any StoreEngine = ValiseEngine(provider: try StoreProvider(settings))
    let anchor = try engine.anchor()
    _ = try engine.createFolder("archives")
    let stored = try engine.upload(
        URL(fileURLWithPath: file.string), as: "archives/one.zip", basedOn: nil, progress: { _, _ in },
        isCancelled: { false })
    let copy = URL(fileURLWithPath: file.string + ".fetched")
    _ = try engine.fetch(
        stored.identifier, version: stored.version, to: copy, progress: { _, _ in }, isCancelled: { false })
    guard try Data(contentsOf: copy) == Data(contentsOf: URL(fileURLWithPath: file.string)) else {
        fatalError("the file is not what was stored")
    }
    do {
        _ = try engine.fetch(
            stored.identifier, version: nil, to: copy, progress: { _, _ in }, isCancelled: { true })
        fatalError("the transfer was not cancelled")
    } catch EngineError.cancelled {
        // As it should be.
    }
    return (
        try engine.items(in: "archives", page: nil, limit: 10).items,
        try engine.changes(since: anchor, limit: 10)
    )
}
