import ValiseArchives
import ValiseCryptography
import ValiseDatabase
import ValiseFailures
import ValiseKeys
import ValisePages
import ValiseSecrets

/// The libraries that this program uses, and what encrypts pages.
enum LibraryChecks {
    static func findings() -> [Diagnosis.Finding] {
        [
            cipher,
            found("OpenSSL \(version: CryptographyVersions.openSSL)"),
            found("libsodium \(version: CryptographyVersions.sodium)"),
            found("zlib \(version: CompressionVersions.zlib)"),
            found("libdeflate \(version: CompressionVersions.deflate)"),
        ] + LoadedLibraryChecks.findings()
            + [multiBuffer, strength, found("Swift \(word: compiler)"), engine]
    }

    /// What compiled this program: the language has no text for it, but can be asked.
    private static var compiler: StaticString {
        #if compiler(>=6.4)
            "6.4 or newer"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }

    private static func found(_ text: RedactableText) -> Diagnosis.Finding {
        Diagnosis.Finding(.library, .ok, text)
    }

    private static var cipher: Diagnosis.Finding {
        let sqlite = CipherVersion.sqlite
        guard let version = CipherVersion.linked else {
            return Diagnosis.Finding(
                .library, .problem, "SQLite \(version: sqlite) without SQLCipher: no account can be opened",
                .updateLibrary("SQLCipher"))
        }
        guard CipherVersion.isNewEnough(version) else {
            return Diagnosis.Finding(
                .library, .problem, "SQLCipher \(version: version) is too old: version 4.5 is needed",
                .updateLibrary("SQLCipher"))
        }
        let text = "SQLCipher \(version), SQLite \(sqlite)"
        // Most builds use the OpenSSL that has a line of its own.
        guard let provider = CipherVersion.provider,
            !provider.hasPrefix("OpenSSL \(CryptographyVersions.openSSL)")
        else { return found("\(version: text)") }
        return found("\(version: text), \(version: provider)")
    }

    private static var multiBuffer: Diagnosis.Finding {
        if let version = PageEngineKind.multiBufferVersion {
            return found("intel-ipsec-mb \(version: version)")
        }
        return found("intel-ipsec-mb is not used on this system")
    }

    /// The library has no version to ask for: whether it judges says enough.
    private static var strength: Diagnosis.Finding {
        guard (try? judgesPassphrases()) == true else {
            return Diagnosis.Finding(
                .library, .problem, "zxcvbn does not rate passphrases", .updateLibrary("zxcvbn"))
        }
        return found("zxcvbn is available, without a version number")
    }

    private static func judgesPassphrases() throws -> Bool {
        let word = try SecretBytes(copying: Array("password".utf8))
        return try PassphraseStrength(of: word).isWeak
    }

    private static var engine: Diagnosis.Finding {
        switch PageEngineKind.best(for: .format4) {
        case .multiBuffer: return Diagnosis.Finding(.engine, .ok, "pages are encrypted with intel-ipsec-mb")
        case .libcrypto:
            let isLinked = PageEngineKind.multiBufferVersion != nil
            return Diagnosis.Finding(
                .engine, isLinked ? .note : .ok,
                "pages are encrypted with libcrypto\(word: isLinked ? ": this processor has no AVX2" : "")")
        }
    }
}
