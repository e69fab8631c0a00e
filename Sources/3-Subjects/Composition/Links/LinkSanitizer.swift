import ValiseChatSchema

/// Cuts parameters off links that tell a site who shared them.
enum LinkSanitizer {
    /// Known names, and beginnings of names.
    private static let names: Set<Substring> = [
        "fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "twclid", "ttclid",
        "igsh",
        "igshid", "mc_cid", "mc_eid", "mkt_tok", "oly_anon_id", "oly_enc_id", "rb_clickid", "s_cid",
        "vero_conv",
        "vero_id", "wickedid", "_hsenc", "_hsmi", "__hssc", "__hstc", "__hsfp", "hsctatracking", "srsltid",
        "ref_src",
        "ref_url", "epik", "li_fat_id", "_openstat", "si",
    ]
    private static let beginnings = ["utm_", "mtm_", "pk_", "piwik_", "matomo_", "hsa_"]

    /// The text with clean links; all else in it stays.
    static func sanitize(_ text: String) -> String {
        // No link is without a question mark that has anything to cut.
        guard text.utf8.contains(UInt8(ascii: "?")) else { return text }
        var result = ""
        var rest = text[...]
        for part in FormattedText(text).parts {
            guard let link = part.webAddress, let place = rest.firstRange(of: part.text) else { continue }
            result += rest[..<place.lowerBound]
            let cleaned = clean(link)
            result += cleaned == link ? part.text : part.text.replacing(link, with: cleaned)
            rest = rest[place.upperBound...]
        }
        return result + rest
    }

    private static func clean(_ link: String) -> String {
        guard let question = link.firstIndex(of: "?") else { return link }
        let fragment = link[question...].firstIndex(of: "#") ?? link.endIndex
        let parameters = link[link.index(after: question)..<fragment].split(
            separator: "&", omittingEmptySubsequences: false)
        let kept = parameters.filter { !isTracking($0) }
        guard kept.count < parameters.count else { return link }
        let query = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
        return String(link[..<question]) + query + link[fragment...]
    }

    private static func isTracking(_ parameter: Substring) -> Bool {
        let name = parameter.prefix { $0 != "=" }.lowercased()
        return names.contains(name[...]) || beginnings.contains { name.hasPrefix($0) }
    }
}

extension FormattedText.Part {
    /// The address that it leads to as it was typed; nil where it leads to none.
    fileprivate var webAddress: String? {
        switch format {
        case .link?: text
        case .namedLink(_, let address)?: address
        default: nil
        }
    }
}
