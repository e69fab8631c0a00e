import Valise
import ValiseEncoding

extension PassphraseRequest {
    /// What a user is asked who opens a store of Session; nil for other requests.
    var sessionPrompt: String? {
        let wanted: String
        switch self.wanted {
        case .recoveryPassword: return "Recovery password (13 words): "
        case .recoverySeed: return "Seed (32 hexadecimal digits): "
        case .sessionPassword: wanted = "Password"
        case .databaseKey: wanted = "Key of the database (96 hexadecimal digits)"
        default: return nil
        }
        let trial = attempt > 1 ? "Wrong (try \(attempt) of \(mostAttempts)). " : ""
        return "\(trial)\(wanted) of \(name.withoutControls), to \(purpose ?? "open it"): "
    }
}
