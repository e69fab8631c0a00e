import ValiseFailures
package import ValiseStorage

/// A store in the format of tcfs: files as content-addressed chunks, under paths, in objects below a prefix.
///
/// Stores of all eras are read. All calls block, may come from several threads, and end with what the object store's checkpoint
/// throws. Source: the fact sheet on tcfs.
package final class ContentStore: Sendable {
    package let objects: any ObjectStore
    package let layout: StoreLayout
    package let keys: StoreKeys
    package let rules: StoreRules
    let sizes = StoredSizes()

    /// Reads nothing yet.
    ///
    /// - Parameters:
    ///   - objects: where the store lies.
    ///   - layout: the prefix of its keys.
    ///   - keys: what opens encrypted files.
    ///   - rules: what is accepted.
    package init(
        _ objects: any ObjectStore, _ layout: StoreLayout, keys: StoreKeys = .none,
        rules: StoreRules = StoreRules()
    ) {
        self.objects = objects
        self.layout = layout
        self.keys = keys
        self.rules = rules
    }

    /// How messages name it, without a password.
    package var location: String { objects.location }

    /// A whole small object; nil where there is none.
    /// - Throws: `StorageError`: `damaged` where it is larger than that.
    func object(_ key: ObjectKey, most: Int) throws -> StoredObject? {
        do {
            return try objects.get(key, nil, mostBytes: most)
        } catch let error as StorageError where error.code == .notFound {
            return nil
        }
    }
}
