import SystemPackage
import ValiseFailures
import ValiseKeys

/// Whether the key stores can be used, without asking anybody.
struct KeyStoreChecks {
    private let folders: ValiseFolders

    init(_ folders: ValiseFolders) { self.folders = folders }

    func findings() -> [Diagnosis.Finding] { KeyStoreChoice.all.map(finding) }

    private func finding(_ choice: KeyStoreChoice) -> Diagnosis.Finding {
        do {
            try KeyStores(folders, mayPrompt: false).store(choice).check()
            return Diagnosis.Finding(.keyStore, .ok, "\(word: name(of: choice)) is available")
        } catch let error as KeyStorageError where error.code == .denied {
            let text: RedactableText = "\(word: name(of: choice)) is refused: others have access to it"
            if let remedy = error.remedy {
                return Diagnosis.Finding(.keyStore, .problem, text, .common(remedy))
            }
            let owned = folders.keys.map { DiagnosisRemedy.takeOwnership($0) }
            return Diagnosis.Finding(.keyStore, .problem, text, owned ?? .chooseKeyStore)
        } catch {
            return Diagnosis.Finding(
                .keyStore, isExpected(error) ? .note : .problem,
                "\(word: name(of: choice)) is not available: \(reason: error)", remedy(choice, error))
        }
    }

    private func remedy(_ choice: KeyStoreChoice, _ error: any Error) -> DiagnosisRemedy {
        guard let error = error as? KeyStorageError else { return .nameHome }
        if let remedy = error.remedy { return .common(remedy) }
        switch error.kind {
        case .unavailable where choice == .secretService: return .startKeyring
        case .locked: return .unlockKeyring
        default: return .chooseKeyStore
        }
    }

    /// Whether it only says that this session has no such store.
    private func isExpected(_ error: any Error) -> Bool {
        if let error = error as? KeyStorageError {
            return error.kind == .unavailable || error.kind == .locked
        }
        return error is OperationError
    }

    private func name(of choice: KeyStoreChoice) -> StaticString {
        switch choice {
        case .secretService: "the desktop keyring"
        case .kernel: "the kernel keyring"
        case .keychain: "the keychain"
        case .file: "the file key store"
        }
    }
}
