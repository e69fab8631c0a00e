package import SystemPackage
import ValiseFailures
import ValiseFiles

/// The four functions of the official library: nothing is thrown, what fails is in the result, in the official
/// words. A file of the same name is replaced, but only by one that is whole. No command needs them: they mirror the official
/// interface, and the tests compare them with it.
extension CryptoFileOperations {
    /// Writes content encrypted under fresh keys.
    package func writeCryptoFile(_ path: FilePath, _ data: [UInt8]) -> WriteFileResult {
        var offset = 0
        let input = unsafe CryptoFileInput(stream: path) { buffer in
            let count = min(buffer.count, data.count - offset)
            unsafe buffer.copyBytes(from: data[offset..<offset + count])
            offset += count
            return count
        }
        return written(path) { try encrypt(input, to: .file(path, replacing: true), $0) }
    }

    /// Encrypts an unencrypted file into another one under fresh keys.
    package func encryptCryptoFile(_ source: FilePath, to target: FilePath) -> WriteFileResult {
        written(source) {
            let input = try CryptoFileInput(source, fileSystem: fileSystem)
            return try encrypt(input, to: .file(target, replacing: true), $0)
        }
    }

    private func written(
        _ path: FilePath, _ body: (CryptoFileArgs) throws -> Int64
    ) -> WriteFileResult {
        do {
            let args = try CryptoFileArgs()
            _ = try body(args)
            return .result(args)
        } catch {
            return .error(CryptoFileError.official(error, path).officialText)
        }
    }

    /// Reads the content of a file, all of it and only when it was proved.
    package func readCryptoFile(_ path: FilePath, _ args: CryptoFileArgs) -> ReadFileResult {
        do {
            let input = try CryptoFileInput(path, fileSystem: fileSystem)
            let size = (input.size ?? 0) - CryptoFileCipher.overhead
            guard size <= Int64(UInt32.max) else {
                throw CryptoFileError(.unsupported, "file too large to read at once", path)
            }
            var data: [UInt8] = []
            data.reserveCapacity(Int(max(0, size)))
            try unsafe CryptoFilePipe.decrypt(
                args, name: path, read: input.reading(), write: { unsafe data.append(contentsOf: $0) })
            return .data(data)
        } catch {
            return .error(CryptoFileError.official(error, path).officialText)
        }
    }

    /// Decrypts a file into another one.
    /// - Returns: why it failed; empty when it did not.
    package func decryptCryptoFile(
        _ source: FilePath, _ args: CryptoFileArgs, to target: FilePath
    ) -> String {
        do {
            let input = try CryptoFileInput(source, fileSystem: fileSystem)
            try decrypt(input, to: .file(target, replacing: true), args)
            return ""
        } catch {
            return CryptoFileError.official(error, source).officialText
        }
    }
}
