/// Tables of connections, requests, settings, notes and tags.
extension EraColumns {
    static let others = """
        = connections
        20220101_initial connection_id:P agent_conn_id:B conn_level:I via_contact:I
        20220101_initial conn_status:T conn_type:T user_contact_link_id:I contact_id:I
        20220101_initial group_member_id:I snd_file_id:I rcv_file_id:I created_at:T user_id:I
        20220122_v1_1 updated_at:T
        20220210_deduplicate_contact_requests via_contact_uri_hash:B xcontact_id:B
        20220626_auto_reply via_user_contact_link:I
        20220812_incognito_profiles custom_user_profile_id:I
        20220909_commands conn_req_inv:B
        20220926_connection_alias local_alias:T
        20221021_auto_accept__group_links via_group_link:I
        20221029_group_link_id group_link_id:B
        20221209_verified_connection security_code:T security_code_verified_at:T
        20230107_connections_auth_err_counter auth_err_counter:I
        20230829_connections_chat_vrange peer_chat_min_version:I peer_chat_max_version:I
        20230903_connections_to_subscribe to_subscribe:I
        20231002_conn_initiated contact_conn_initiated:I
        20240228_pq conn_chat_version:I pq_support:I pq_encryption:I pq_snd_enabled:I
        20240228_pq pq_rcv_enabled:I
        20240528_quota_err_counter quota_err_counter:I
        20250402_short_links short_link_inv:B via_short_link_contact:B
        20250801_via_group_link_uri via_contact_uri:T
        20260222_chat_relays relay_test:I
        = user_contact_links
        20220101_initial user_contact_link_id:P conn_req_contact:T local_display_name:T
        20220101_initial created_at:T user_id:I
        20220122_v1_1 updated_at:T
        20220210_deduplicate_contact_requests auto_accept:I
        20220626_auto_reply auto_reply_msg_content:T
        20221011_user_contact_links_group_id group_id:I
        20221021_auto_accept__group_links auto_accept_incognito:I
        20221029_group_link_id group_link_id:B
        20230303_group_link_role group_link_member_role:T
        20241128_business_chats business_address:I
        20250402_short_links short_link_contact:T
        20250526_short_links short_link_data_set:I short_link_large_data_set:I
        20260603_simplex_name link_priv_sig_key:B
        = contact_requests
        20220101_initial contact_request_id:P user_contact_link_id:I agent_invitation_id:B
        20220101_initial contact_profile_id:I local_display_name:T created_at:T user_id:I
        20220122_v1_1 updated_at:T
        20220210_deduplicate_contact_requests xcontact_id:B
        20230829_connections_chat_vrange peer_chat_min_version:I peer_chat_max_version:I
        20240228_pq pq_support:I
        20241010_contact_requests_contact_id contact_id:I
        20250526_short_links business_group_id:I welcome_shared_msg_id:B
        20250526_short_links request_shared_msg_id:B
        20260723_contact_request_rejection rejection_supported:I
        = note_folders
        20240102_note_folders note_folder_id:P user_id:I created_at:T updated_at:T chat_ts:T
        20240102_note_folders favorite:I unread_chat:I
        = chat_tags
        20241223_chat_tags chat_tag_id:P user_id:I chat_tag_text:T chat_tag_emoji:T tag_order:I
        = chat_tags_chats
        20241223_chat_tags contact_id:I group_id:I chat_tag_id:I
        = settings
        20220928_settings settings_id:P chat_item_ttl:I user_id:I created_at:T updated_at:T
        = app_settings
        20240222_app_settings app_settings:T
        = chat_relays
        20260222_chat_relays chat_relay_id:P user_id:I address:T name:T domains:T preset:I
        20260222_chat_relays tested:I enabled:I deleted:I created_at:T updated_at:T
        = group_relays
        20260222_chat_relays group_relay_id:P group_id:I group_member_id:I chat_relay_id:I
        20260222_chat_relays relay_status:T relay_link:T created_at:T updated_at:T
        = group_member_status_predicates
        20250919_group_summary member_status:T current_member:I
        """
}
