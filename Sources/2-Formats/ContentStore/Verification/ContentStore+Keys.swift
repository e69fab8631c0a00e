package import ValiseConcurrency
import ValiseFailures

/// Whether keys open the files of a store.
package struct KeyCheckReport: Sendable {
    /// Files that were looked at.
    package internal(set) var files = 0
    /// Those of them that are encrypted.
    package internal(set) var encrypted = 0
    /// Those of them that the keys open.
    package internal(set) var opened = 0
    /// The first that they do not open, and why.
    package internal(set) var failure: (path: StorePath, error: ContentStoreError)?

    /// Whether all encrypted files that were looked at are opened.
    package var isRight: Bool { opened == encrypted }
}

extension ContentStore {
    /// Tries the keys on some files. The key of a file is opened, its content is not read.
    ///
    /// - Parameters:
    ///   - most: encrypted files that are tried.
    ///   - progress: files; throw to stop.
    /// - Throws: `StorageError`; `CryptographyError`; `SecretsError`; whatever `progress` throws.
    package func checkKeys(
        most: Int = 16, _ progress: ProgressHandler = { _ in }
    ) throws -> KeyCheckReport {
        var report = KeyCheckReport()
        try list(isRecursive: true) { listed in
            guard case .entry(let path, _) = listed else { return true }
            try progress(OperationProgress("trying keys", completed: Int64(report.files), unit: .items))
            guard case .file(let file)? = try readable(path)?.content else { return true }
            report.files += 1
            guard file.isEncrypted else { return true }
            report.encrypted += 1
            do {
                _ = try sealing(of: file, path.text)
                report.opened += 1
            } catch let error as ContentStoreError {
                report.failure = report.failure ?? (path: path, error: error)
            }
            return report.encrypted < most
        }
        return report
    }

    /// Nil for what is damaged, which says nothing of keys.
    private func readable(_ path: StorePath) throws -> StoredItem? {
        do {
            return try content(of: path).item
        } catch let error as any Failure where error.isOfObject {
            return nil
        }
    }
}
