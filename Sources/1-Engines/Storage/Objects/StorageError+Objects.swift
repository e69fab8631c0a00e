import ValiseFailures

extension StorageError {
    /// The condition of a write is not met.
    static func changed(_ key: ObjectKey, _ condition: WriteCondition) -> StorageError {
        condition == .isAbsent
            ? StorageError(
                .changed, .alreadyExists, "an object with this name exists. It was not replaced.", key.text)
            : StorageError(
                .changed, .failed, "another writer has changed or removed the object. It was not replaced.",
                key.text)
    }

    /// Another object has the name in the middle of its being read.
    static func replaced(_ key: ObjectKey) -> StorageError {
        StorageError(.changed, .failed, "another writer has replaced the object while it was read", key.text)
    }

    static func noObject(_ key: ObjectKey) -> StorageError {
        StorageError(.general, .notFound, "no such object", key.text)
    }

    /// An object that was not to be so large.
    static func tooLarge(_ subject: String) -> StorageError {
        StorageError(.general, .damaged, "object is larger than expected", subject)
    }
}
