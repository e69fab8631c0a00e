import ValiseEncoding
import ValiseFailures

extension S3Bucket {
    /// What a page has, in the order of the bytes of the names: some servers sort by other rules, or folders apart.
    ///
    /// - Parameter prefix: of the list, below that of the bucket.
    /// - Throws: ``StorageError``: `answer` for what was not asked for.
    func objects(
        of page: S3Document.Page, below prefix: String, isDelimited: Bool
    ) throws(StorageError) -> [ListedObject] {
        var listed: [ListedObject] = []
        for file in page.files {
            let text = try name(file.key, below: prefix)
            guard let size = file.size, size >= 0,
                let version = file.tag.flatMap({ ObjectVersion(entityTag: $0) }),
                let modified = file.modified.flatMap({ UTCTime($0) })
            else { throw Self.invalidList(location) }
            // What others call so is no object of ours.
            guard let key = ObjectKey(listed: text) else { continue }
            listed.append(
                .object(key, ObjectAttributes(size: size, version: version, modified: modified.seconds)))
        }
        for folder in page.prefixes {
            let text = try name(folder, below: prefix)
            guard isDelimited, text.upToSlash(behind: prefix.utf8.count)?.hasSameBytes(as: text) == true
            else {
                throw Self.invalidList(location)
            }
            guard ObjectKey(listed: String(Substring(text.utf8.dropLast()))) != nil else { continue }
            listed.append(.folder(text))
        }
        return listed.sorted { $0.text.comesBefore($1.text) }
    }

    /// A key without the prefix of the bucket.
    private func name(_ key: String, below prefix: String) throws(StorageError) -> String {
        guard key.begins(with: self.prefix + prefix) else { throw Self.invalidList(location) }
        return key.dropping(bytes: self.prefix.utf8.count)
    }
}
