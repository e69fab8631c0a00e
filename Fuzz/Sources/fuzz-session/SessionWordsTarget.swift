import Fuzzing
import ValiseSecrets
import ValiseSessionStore

/// Recovery passwords as they are typed.
enum SessionWordsTarget {
    static func words(_ bytes: [UInt8]) {
        guard let text = try? SecretBytes(copying: bytes) else { return }
        do {
            let read = try RecoveryPassword.read(text)
            FuzzRun.require(read.inexact.allSatisfy { (1...13).contains($0) }, "places are those of words")
            let written = try read.password.words(in: read.language)
            let again = try RecoveryPassword.read(written.bytes, in: read.language)
            FuzzRun.require(again.password.equals(read.password), "what is written is read as the same")
            FuzzRun.require(again.inexact.isEmpty, "what is written is exact")
            let account = try read.password.account()
            FuzzRun.require(AccountID(text: account.id.description) == account.id, "an ID is read again")
        } catch let error as RecoveryPasswordError {
            FuzzRun.require(error.message.utf8.count < 200, "a message is short")
        } catch {
            FuzzRun.require(false, "no other error: \(error)")
        }
    }
}
