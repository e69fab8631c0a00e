import SystemPackage
import ValiseFailures
import ValiseFiles

/// Sees to it that no file is input and output, or content and key, at once, and that nothing is replaced that
/// should not be, before hours of work.
struct CryptoFileRoles {
    private let fileSystem: FileSystem

    init(_ fileSystem: FileSystem) {
        self.fileSystem = fileSystem
    }

    /// - Throws: ``FileError``: `alreadyExists`; ``CryptoFileError``: `invalid`.
    ///
    /// - Parameter keyFile: what the key was read from.
    func check(
        _ input: CryptoFileInput, _ output: CryptoFileOutput, keyFile: FileAttributes?,
        keyOutput: FilePath? = nil
    ) throws {
        var names: [FilePath] = []
        if case .file(let path, let replacing) = output {
            try checkAbsence(path, replacing: replacing && keyOutput == nil)
            names += [path, path.appendingSuffix(PendingFile.suffix)]
        }
        if let keyOutput {
            try checkAbsence(keyOutput, replacing: false)
            names += [keyOutput, keyOutput.appendingSuffix(PendingFile.suffix)]
        }
        let places = try names.map(place)
        guard Set(places).count == places.count else {
            throw CryptoFileError(.invalid, "a file and its key cannot have the same name", keyOutput)
        }
        for name in names {
            guard let found = try file(at: name) else { continue }
            if input.attributes?.isSameFile(as: found) == true {
                throw CryptoFileError(.invalid, "this is the input file", name, remedy: .chooseAnotherName)
            }
            if keyFile?.isSameFile(as: found) == true {
                throw CryptoFileError(.invalid, "this is the key file", name, remedy: .chooseAnotherName)
            }
        }
    }

    private func checkAbsence(_ path: FilePath, replacing: Bool) throws {
        guard try fileSystem.exists(path) else { return }
        guard replacing else {
            throw FileError(
                .alreadyExists,
                "already exists. Nothing was changed.", path, remedy: .chooseAnotherName)
        }
        try PendingFile.checkPlace(path, fileSystem: fileSystem)
    }

    /// The same for two spellings of one name.
    private func place(_ path: FilePath) throws -> FilePath {
        guard let name = path.lastComponent, try fileSystem.isDirectory(path.parentFolder) else {
            return path
        }
        return try fileSystem.resolve(path.parentFolder).appending(name)
    }

    /// What is there, links followed.
    private func file(at path: FilePath) throws -> FileAttributes? {
        guard try fileSystem.exists(path),
            // A link that leads nowhere is no file.
            let target = try? fileSystem.resolve(path)
        else { return nil }
        return try fileSystem.attributes(of: target)
    }
}
